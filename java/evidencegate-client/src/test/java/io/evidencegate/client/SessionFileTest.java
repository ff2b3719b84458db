package io.evidencegate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.evidencegate.v1.ExecutorOutput.ContentCase;
import io.evidencegate.v1.JudgeRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionFileTest {
    @Test
    void idsKeepAllTheirDigits() {
        JudgeRequest request = SessionFile.judgeRequest("{\"session_id\":\"s\",\"executor_output\":null,\"tool_invocations\":["
                + "{\"id\":90071992547409931234,\"tool_name\":\"t\",\"status\":\"SUCCESS\"},{\"id\":\"0394\",\"tool_name\":\"t\",\"status\":\"NO_HIT\"}]}");
        assertEquals("90071992547409931234", request.getToolInvocations(0).getId());
        assertEquals("0394", request.getToolInvocations(1).getId());
        assertEquals(ContentCase.CONTENT_NOT_SET, request.getExecutorOutput().getContentCase());
        assertEquals(1, request.getRound());
    }

    @Test
    void anEscapedLoneSurrogateOfTheModelTravelsAsBytes() {
        JudgeRequest request =
                SessionFile.judgeRequest("{\"session_id\":\"s\",\"executor_output\":\"\\ud800\",\"original_query\":\"\\udc00\",\"tool_invocations\":[]}");
        assertEquals(ContentCase.RAW, request.getExecutorOutput().getContentCase());
        assertEquals("\ufffd", request.getOriginalQuery());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "[]|a session is a JSON object, not a list",
                "{}|session_id: this key is missing",
                "{'session_id':'s'}|executor_output: this key is missing",
                "{'session_id':'s','executor_output':'','tool_invocations':{}}|tool_invocations: a list is wanted, not an object",
                "{'session_id':'s','executor_output':1,'tool_invocations':[]}|executor_output: the raw text of a model is wanted, not a number",
                "{'session_id':'s','executor_output':'','tool_invocations':[],'rond':2}|rond: unknown key; did you mean \"round\"?",
                "{'session_id':'s','executor_output':'','tool_invocations':[],'notes':2}|notes: unknown key; known are session_id",
                "{'session_id':'s','executor_output':'','tool_invocations':[{'id':1,'tool':'t'}]}|tool_invocations[0].tool: unknown key; did you mean \"tool_name\"?",
                "{'session_id':'s','executor_output':'','tool_invocations':[],'round':3}|round: is 3; it must be 1 or 2",
                "{'session_id':'s','executor_output':'','tool_invocations':[],'round':'1'}|round: a whole number is wanted, not a text",
                "{'session_id':'s','executor_output':'','tool_invocations':[],'round':1.5}|round: a whole number is wanted, not a number",
                "{'session_id':'s','executor_output':'','tool_invocations':[],'narrow_question':'yes'}|narrow_question: true or false is wanted, not a text",
                "{'session_id':'s','executor_output':'','tool_invocations':[{'id':1.5}]}|tool_invocations[0].id: an ID is a text or a whole number, not a number",
                "{'session_id':'s','executor_output':'','tool_invocations':[{'id':1,'tool_name':'t','status':'DONE'}]}|tool_invocations[0].status: \"DONE\" is none of SUCCESS, FAILED, NO_HIT, DEDUPED",
                "{'session_id':'s','executor_output':'','tool_invocations':[{'id':1,'tool_name':'t','status':'FAILED','retrieval_details':{'evidence_refs':[{'text':'x'}]}}]}|tool_invocations[0].retrieval_details.evidence_refs[0].raw_path: this key is missing",
                "{'session_id':'s','executor_output':'','tool_invocations':[],'retry_context':{'verdict':'NO'}}|retry_context: verdict: \"NO\" is none of",
                "{'session_id':|no JSON",
            })
    void whatIsNoSessionIsNamedWithItsPlace(String json, String start) {
        InvalidSessionException error =
                assertThrows(InvalidSessionException.class, () -> SessionFile.judgeRequest(json.replace('\'', '"')));
        assertTrue(error.getMessage().startsWith(start), error.getMessage());
    }
}
