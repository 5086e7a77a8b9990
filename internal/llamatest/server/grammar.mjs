// Grammars, in llama.cpp's GBNF: of a JSON Schema, and of a whole reply with thinking, content and tool calls.
import {badRequest, isObject} from "./http.mjs";

// Keywords that llama.cpp's server enforces and this one cannot: refused, lest a test believe in them. What llama.cpp
// ignores (uniqueItems, not, if, multipleOf, …) is ignored here too.
const beyond = ["pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "allOf"];

const base = {
    space: String.raw`(" " | "\n"{1,2} [ \t]{0,20})?`,
    boolean: `("true" | "false") space`,
    null: `"null" space`,
    whole: `"-"? ("0" | [1-9] [0-9]{0,15})`,
    integer: `whole space`,
    number: `whole ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,16})? space`,
    char: String.raw`[^"\\\x7F\x00-\x1F] | "\\" (["\\bfnrt] | "u" [0-9a-fA-F]{4})`,
    string: String.raw`"\"" char* "\"" space`,
    value: `object | array | string | number | boolean | null`,
    object: `"{" space (string ":" space value ("," space string ":" space value)*)? "}" space`,
    array: `"[" space (value ("," space value)*)? "]" space`
};
const digits = (n) => `[0-9]{${n}}`;
const day = `${digits(4)} "-" ${digits(2)} "-" ${digits(2)}`, hour = `${digits(2)} ":" ${digits(2)} ":" ${digits(2)} ("." [0-9]{3})? ("Z" | [-+] ${digits(2)} ":" ${digits(2)})`;
const hex = (n) => `[0-9a-fA-F]{${n}}`;
const formats = {date: day, time: hour, "date-time": `${day} "T" ${hour}`, uuid: [8, 4, 4, 4, 12].map(hex).join(' "-" ')};

// quoted writes a text as a GBNF literal.
const quoted = (text) => `"${text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t")}"`;
const literal = (value) => `${quoted(JSON.stringify(value))} space`;
const either = (options) => options.length === 1 ? options[0] : `(${options.join(" | ")})`;

class Rules {
    constructor(root) {
        this.rules = {...base};
        this.root = root; // the schema that references point into
        this.named = new Map(); // reference → rule
    }

    add(body) {
        const name = `rule-${Object.keys(this.rules).length}`;
        this.rules[name] = body;
        return name;
    }

    reference(ref) {
        if (!this.named.has(ref)) {
            let target = ref.startsWith("#") ? this.root : undefined;
            for (const part of ref.split("/").slice(1))
                target = isObject(target) && Object.hasOwn(target, part.replaceAll("~1", "/").replaceAll("~0", "~")) ? target[part.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
            if (target === undefined) throw badRequest(`the JSON schema's reference ${JSON.stringify(ref)} leads nowhere`, "response_format");
            const name = this.add(""); // before its body, which may refer to itself
            this.named.set(ref, name);
            this.rules[name] = this.schema(target);
        }
        return this.named.get(ref);
    }

    // schema returns an expression for a value of the schema, white space after it included.
    schema(schema) {
        if (schema === true) return "value";
        if (!isObject(schema)) throw badRequest(`the JSON schema has ${JSON.stringify(schema)} where a schema should be`, "response_format");
        for (const keyword of beyond)
            if (Object.hasOwn(schema, keyword)) throw badRequest(`the JSON schema's '${keyword}' is not supported by this test server`, "response_format");
        if (typeof schema.$ref === "string") return this.reference(schema.$ref);
        const alternatives = schema.oneOf ?? schema.anyOf ?? (Array.isArray(schema.type) ? schema.type.map((type) => ({...schema, type})) : undefined);
        if (alternatives !== undefined) return either(alternatives.map((one) => this.schema(one)));
        if (Object.hasOwn(schema, "const")) return literal(schema.const);
        if (schema.enum !== undefined) return either(schema.enum.map(literal));
        const type = schema.type ?? (schema.items ?? schema.prefixItems ? "array" : "object");
        switch (type) {
        case "object": return this.object(schema);
        case "array": return this.array(schema);
        case "string": return this.string(schema);
        case "number": case "integer": case "boolean": case "null": return type;
        }
        throw badRequest(`the JSON schema has the unknown type ${JSON.stringify(type)}`, "response_format");
    }

    // Members come in the order of "properties", the required ones first; the others may be left out one by one.
    object({properties = {}, required = [], additionalProperties = false}) {
        const names = Object.keys(properties);
        if (names.length === 0 && (additionalProperties === true || additionalProperties === false)) return "object";
        const member = (name) => this.add(`${quoted(JSON.stringify(name))} space ":" space ${this.schema(properties[name])}`);
        const must = names.filter((name) => required.includes(name)).map(member);
        const may = names.filter((name) => !required.includes(name)).map(member);
        const comma = `"," space`;
        let more = "";
        if (additionalProperties !== false) {
            const extra = this.add(`string ":" space ${this.schema(additionalProperties)}`);
            more = ` (${comma} ${extra})*`;
            may.push(extra);
        }
        const tails = may.map((first, i) => first + may.slice(i + 1, more === "" ? undefined : -1).map((next) => ` (${comma} ${next})?`).join("") + more);
        let rest = tails.length === 0 ? "" : either(tails);
        if (rest !== "") rest = must.length > 0 ? `(${comma} ${rest})?` : `(${rest})?`;
        return `"{" space ${must.join(` ${comma} `)} ${rest} "}" space`;
    }

    array({prefixItems, items = true, minItems = 0, maxItems}) {
        if (prefixItems !== undefined) return `"[" space ${prefixItems.map((one) => this.schema(one)).join(` "," space `)} "]" space`;
        const item = this.add(this.schema(items));
        if (maxItems === 0) return `"[" space "]" space`;
        const further = `("," space ${item}){${Math.max(0, minItems - 1)},${maxItems === undefined ? "" : maxItems - 1}}`;
        return `"[" space (${item} ${further})${minItems > 0 ? "" : "?"} "]" space`;
    }

    string({format, minLength = 0, maxLength}) {
        if (format !== undefined && Object.hasOwn(formats, format)) return `"\\"" ${formats[format]} "\\"" space`;
        if (minLength === 0 && maxLength === undefined) return "string";
        return `"\\"" char{${minLength},${maxLength ?? ""}} "\\"" space`;
    }

    text(root) {
        return [`root ::= ${root}`, ...Object.entries(this.rules).map(([name, body]) => `${name} ::= ${body}`)].join("\n") + "\n";
    }
}

// without is any text in which the mark does not stand; the mark has one "<", its first character.
function without(mark) {
    const parts = ["[^<]"];
    for (let i = 1; i < mark.length; i++) parts.push(`"<"+ ${i > 1 ? quoted(mark.slice(1, i)) + " " : ""}[^${mark[i]}<]`);
    const open = Array.from(mark.slice(1, -1), (_, i) => quoted(mark.slice(1, i + 1)));
    return `(${parts.join(" | ")})* ("<"+ (${open.join(" | ")})?)?`;
}

// schemaGrammar is the grammar of a value of the schema.
export function schemaGrammar(schema) {
    const rules = new Rules(schema);
    return rules.text(rules.schema(schema));
}

// replyGrammar is what holds a whole reply: perhaps thinking, then a value of the schema or any text, then tool calls with
// arguments of the tools' own schemas; must says that there has to be a call. It is null where nothing is to be held.
export function replyGrammar({schema, tools, must, parallel, thinking}) {
    if (schema === null && tools === null) return null;
    const rules = new Rules(schema);
    let answer = schema === null ? without("<tool_call>") : rules.schema(schema);
    if (tools !== null) {
        const calls = tools.map(({function: {name, parameters}}) => {
            const own = new Rules(parameters);
            own.rules = rules.rules; // one name space, references of its own
            return rules.add(`${quoted(`<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": `)} ${own.schema({type: "object", ...parameters})} ${quoted("}\n</tool_call>")}`);
        });
        const call = rules.add(calls.join(" | "));
        const some = parallel ? `${call} ([\\n]* ${call})*` : call;
        if (must) answer = some;
        else answer = schema === null ? `${answer} (${some})?` : `(${answer} | ${some})`;
    }
    if (thinking) answer = `("<think>\\n" ${without("</think>")} "</think>\\n\\n")? ${answer}`;
    return rules.text(answer);
}
