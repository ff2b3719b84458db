package io.evidencegate.sample;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** {@code POST /chat} with a session ID and a question. */
@RestController
class ChatController {
    private final ChatService chat;

    ChatController(ChatService chat) {
        this.chat = chat;
    }

    /**
     * What is asked.
     *
     * @param sessionId names the turn in logs and in the store
     * @param question what the user asks
     */
    record Question(String sessionId, String question) {}

    @PostMapping("/chat")
    ChatAnswer answer(@RequestBody Question asked) {
        if (isBlank(asked.sessionId()) || isBlank(asked.question())) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "sessionId and question must not be blank");
        }
        return chat.answer(asked.sessionId(), asked.question());
    }

    private static boolean isBlank(String text) {
        return text == null || text.isBlank();
    }
}
