// Takes a model's text apart into thinking, content and tool calls, as it comes.

// The marks of the model files; template.go has them too.
export const marks = {think: "<think>\n", thought: "\n</think>\n\n", call: "<tool_call>\n", called: "}\n</tool_call>"};

const callHead = /^\{"name":\s*("(?:[^"\\]|\\.)*"),\s*"arguments":\s*(?=\{)/;

// ReplyParser hands each part on as soon as it is known: a piece of text that may be the beginning of a mark is held
// back. Sinks are thinking(text), content(text), call(name), then args(text) and whole(), which belong to that call.
// With thinking false, a text that begins like thinking is content; tools is the set of names that may be called, or null.
export class ReplyParser {
    constructor({thinking, tools}, sinks) {
        this.state = thinking ? "start" : "answer";
        this.tools = tools;
        this.sinks = sinks;
        this.held = "";
        this.raw = ""; // of the call that is not whole yet
        this.calls = 0;
    }

    push(text) {
        this.held += text;
        while (this[this.state](false));
    }

    // end says that no more comes, and returns the text of a call that was cut.
    end() {
        while (this[this.state](true));
        return this.raw;
    }

    // Each state takes what it can from held; it returns true when another is to go on.
    start(ended) {
        const {held} = this;
        if (!ended && held.length < marks.think.length && marks.think.startsWith(held)) return false;
        if (!held.startsWith(marks.think)) return this.become("answer");
        this.held = held.slice(marks.think.length);
        return this.become("thinking");
    }

    thinking(ended) {
        if (!this.upTo(marks.thought, this.sinks.thinking, ended)) return false;
        return this.become("answer");
    }

    answer(ended) {
        if (this.tools === null) return this.emit(this.sinks.content, this.held.length);
        if (this.calls > 0) this.held = this.held.trimStart();
        if (!this.upTo(marks.call, this.sinks.content, ended)) return false;
        return this.become("call");
    }

    call(ended) {
        const head = callHead.exec(this.held);
        if (head === null && !ended) return false;
        const name = head === null ? null : JSON.parse(head[1]);
        if (head === null || !this.tools.has(name)) {
            // No call of a tool that there is: text, and all that follows.
            if (ended && head === null) {
                this.raw = marks.call + this.held;
                this.held = "";
                return false;
            }
            this.tools = null;
            this.held = marks.call + this.held;
            return this.become("answer");
        }
        this.raw = marks.call + head[0];
        this.held = this.held.slice(head[0].length);
        this.depth = 0;
        this.quoted = this.escaped = false;
        this.calls++;
        this.sinks.call(name);
        return this.become("args");
    }

    args() {
        for (let i = 0; i < this.held.length; i++) {
            const c = this.held[i];
            if (this.escaped) this.escaped = false;
            else if (this.quoted) {
                if (c === "\\") this.escaped = true;
                else if (c === '"') this.quoted = false;
            } else if (c === '"') this.quoted = true;
            else if (c === "{") this.depth++;
            else if (c === "}" && --this.depth === 0) {
                this.emit(this.sinks.args, i + 1);
                this.raw = "";
                this.sinks.whole?.();
                return this.become("called");
            }
        }
        this.raw += this.held;
        return this.emit(this.sinks.args, this.held.length);
    }

    called(ended) {
        const rest = this.held.trimStart();
        if (!ended && rest.length < marks.called.length && marks.called.startsWith(rest)) return false;
        this.held = rest.startsWith(marks.called) ? rest.slice(marks.called.length) : ended ? "" : rest;
        return this.become("answer");
    }

    become(state) {
        this.state = state;
        return true;
    }

    emit(sink, length) {
        if (length > 0) sink(this.held.slice(0, length));
        this.held = this.held.slice(length);
        return false;
    }

    // upTo hands on what is before the mark and swallows the mark; false when it has not come yet.
    upTo(mark, sink, ended) {
        const at = this.held.indexOf(mark);
        let keep = 0;
        if (at < 0 && !ended)
            for (keep = Math.min(mark.length - 1, this.held.length); keep > 0 && !mark.startsWith(this.held.slice(-keep)); keep--);
        this.emit(sink, at < 0 ? this.held.length - keep : at);
        if (at >= 0) this.held = this.held.slice(mark.length);
        return at >= 0;
    }
}
