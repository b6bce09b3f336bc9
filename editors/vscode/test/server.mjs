// A minimal language client for scripts.

import { spawn } from 'node:child_process';

export class Server {
    #child;
    #waiting = new Map();
    #rest = Buffer.alloc(0);
    #next = 1;

    constructor(binary) {
        this.#child = spawn(binary, ['server'], { stdio: ['pipe', 'pipe', 'inherit'] });
        this.#child.stdout.on('data', (data) => this.#read(data));
    }

    async start() {
        const answer = await this.request('initialize', {
            processId: process.pid,
            rootUri: null,
            capabilities: {},
        });
        this.notify('initialized', {});
        return answer.capabilities;
    }

    async stop() {
        await this.request('shutdown');
        this.notify('exit');
    }

    request(method, params) {
        const id = this.#next++;
        this.#send({ id, method, params });
        return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    }

    notify(method, params) {
        this.#send({ method, params });
    }

    #send(message) {
        const text = JSON.stringify({ jsonrpc: '2.0', ...message });
        this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    }

    #read(data) {
        this.#rest = Buffer.concat([this.#rest, data]);
        for (;;) {
            const head = this.#rest.indexOf('\r\n\r\n');
            if (head < 0) {
                return;
            }
            const length = Number(/Content-Length: (\d+)/u.exec(this.#rest.toString('utf8', 0, head))[1]);
            if (this.#rest.length < head + 4 + length) {
                return;
            }
            const message = JSON.parse(this.#rest.toString('utf8', head + 4, head + 4 + length));
            this.#rest = this.#rest.subarray(head + 4 + length);
            this.#take(message);
        }
    }

    #take(message) {
        if (message.method !== undefined) {
            if (message.id !== undefined) {
                this.#send({ id: message.id, result: null });
            }
            return;
        }
        const waiting = this.#waiting.get(message.id);
        this.#waiting.delete(message.id);
        if (message.error === undefined) {
            waiting.resolve(message.result);
        } else {
            waiting.reject(new Error(message.error.message));
        }
    }
}
