// Prompts: messages of either wire, rendered by the chat template in the model's file, and their tokens.
import {badRequest, isObject} from "./http.mjs";

const roles = {system: "system", developer: "system", user: "user", assistant: "assistant", tool: "tool"};

// readMessages checks messages of the OpenAI form and returns them as templates want them.
export function readMessages(messages) {
    if (!Array.isArray(messages) || messages.length === 0) throw badRequest("'messages' must be a non-empty array", "messages");
    return messages.map((message, i) => {
        if (!Object.hasOwn(roles, message?.role ?? "")) throw badRequest(`messages[${i}]: unknown role ${JSON.stringify(message?.role)}`, "messages");
        const out = {role: roles[message.role], content: readContent(message.content ?? "", i)};
        if (message.reasoning_content) out.reasoning_content = String(message.reasoning_content);
        if (message.tool_calls?.length > 0) out.tool_calls = message.tool_calls.map((call) => readCall(call, i));
        if (message.tool_call_id) out.tool_call_id = String(message.tool_call_id);
        if (message.name) out.name = String(message.name);
        return out;
    });
}

function readContent(content, i) {
    if (typeof content === "string") return content;
    if (Array.isArray(content) && content.every((part) => part?.type === "text" && typeof part.text === "string"))
        return content.map((part) => part.text).join("\n");
    throw badRequest(`messages[${i}]: content must be text`, "messages");
}

// Arguments are text on the wire; templates want the object.
function readCall(call, i) {
    let {arguments: given} = call?.function ?? {};
    if (call?.type !== "function" || typeof call.function?.name !== "string") throw badRequest(`messages[${i}]: a tool call needs the type "function" and a name`, "messages");
    if (typeof given === "string") {
        try {
            given = JSON.parse(given);
        } catch {
            throw badRequest(`messages[${i}]: the arguments of ${call.function.name} are not JSON`, "messages");
        }
    }
    return {id: call.id, type: "function", function: {name: call.function.name, arguments: given}};
}

// readTools checks the tools of a request; null for none. Both wires have OpenAI's form.
export function readTools(tools) {
    if (tools === undefined || tools === null) return null;
    if (!Array.isArray(tools)) throw badRequest("Failed to parse tools: Expected 'tools' to be an array", "tools");
    return tools.length === 0 ? null : tools.map((tool) => {
        if (tool?.type !== "function") throw badRequest(`Failed to parse tools: Unsupported tool type: ${JSON.stringify(tool?.type)}`, "tools");
        const {name, description = "", parameters = {}} = tool.function ?? {};
        if (typeof name !== "string" || name === "" || !isObject(parameters)) throw badRequest("Failed to parse tools: a function needs a name, and its parameters must be an object", "tools");
        return {type: "function", function: {name, description, parameters}};
    });
}

// render returns the prompt as /apply-template does: without the begin token's text where the tokenizer adds the token.
// A last message of the assistant is left open, to be gone on with.
export function render({model, template}, messages, {tools = null, kwargs = {}} = {}) {
    const open = messages.at(-1).role === "assistant" && messages.at(-1).tool_calls === undefined ? messages.at(-1).content : "";
    const {bosString: bos, shouldPrependBosToken: adds} = model.tokens;
    const text = template.render({
        ...kwargs, messages: open === "" ? messages : messages.slice(0, -1), tools, bos_token: bos, eos_token: model.tokens.eosString, add_generation_prompt: true
    }) + open;
    return adds && text.startsWith(bos) ? text.slice(bos.length) : text;
}

// promptTokens are the tokens of a rendered prompt; marks in it are control tokens, whoever wrote them.
export function promptTokens({model}, prompt) {
    const tokens = model.tokenize(prompt, true);
    return model.tokens.shouldPrependBosToken ? [model.tokens.bos, ...tokens] : tokens;
}

// Abilities of a model are what its template mentions, as Ollama has it.
export const canCall = (template) => template.includes("tools") || template.includes("tool_call");
export const canThink = (template) => template.includes("<think>") && template.includes("</think>");
