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
        demand("sessionId", asked.sessionId());
        demand("question", asked.question());
        return chat.answer(asked.sessionId(), asked.question());
    }

    /** Refuses a field that is absent or blank; the caller gets 400 with its name ({@code spring.mvc.problemdetails.enabled}). */
    private static void demand(String field, String value) {
        if (value == null || value.isBlank()) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, field + " is missing or blank");
        }
    }
}
