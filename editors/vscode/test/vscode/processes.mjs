// Watches the processes and network connections of the extension in /proc.

import * as fs from 'node:fs';
import * as path from 'node:path';

/** The polling interval, in milliseconds. */
const EVERY = 40;

/** The commands that VS Code itself runs to detect ports for forwarding. */
const PORTS = /^\S*sh -c (?:ls -l \/proc\/\[0-9\]|ps -F -A -l \|)/u;

/** Watches all descendants of a process, except programs in the editor's own folder and `standIns`:
 * scripts that a test configures as the server. Between fork and exec, a child still shows the program of
 * its parent, which is in the editor's folder. */
export function watchProcesses(root, editor, standIns = []) {
    const programs = new Map();
    const sockets = new Set();
    const timer = setInterval(() => look(root, [editor, ...standIns], programs, sockets), EVERY);
    return {
        stop: () => clearInterval(timer),
        /** Prints the observed programs and connections. Returns whether only `pupil` ran, without any. */
        verdict: (name) => {
            const others = [...programs.keys()].filter((it) => it !== 'pupil');
            console.log(
                `  the extension host ran: ${[...programs.keys()].join(', ') || 'nothing'}; ` +
                    `connections of pupil: ${sockets.size}`,
            );
            if (!programs.has('pupil') || others.length > 0 || sockets.size > 0) {
                console.log(`FAILED ${name}: expected only pupil, without connections`);
                others.forEach((it) => console.log(`  ${it}: ${programs.get(it)}`));
                return false;
            }
            return true;
        },
    };
}

function look(root, expected, programs, sockets) {
    const all = processes();
    const isExpected = (it) => expected.some((part) => it.command.includes(part)) || PORTS.test(it.command);
    const below = (top, without = () => false) => {
        const children = all.filter((it) => it.parent === top && !without(it));
        return children.flatMap((it) => [it, ...below(it.pid, without)]);
    };
    const hosts = below(root).filter((it) => it.command.includes('--type=extensionHost'));
    for (const host of hosts) {
        for (const child of below(host.pid, isExpected)) {
            const program = path.basename(child.program);
            programs.set(program, child.command);
            if (program === 'pupil') {
                connections(child.pid).forEach((it) => sockets.add(it));
            }
        }
    }
}

function processes() {
    return fs
        .readdirSync('/proc')
        .filter((it) => /^\d+$/u.test(it))
        .flatMap((pid) => {
            try {
                const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
                const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
                const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
                const program = fs.readlinkSync(`/proc/${pid}/exe`);
                // During exec, a process briefly has no command line.
                return command === '' ? [] : [{ pid: Number(pid), parent, command, program }];
            } catch {
                // The process has exited, or belongs to another user.
                return [];
            }
        });
}

/** Returns the network sockets of a process. */
function connections(pid) {
    try {
        const links = fs.readdirSync(`/proc/${pid}/fd`).map((it) => fs.readlinkSync(`/proc/${pid}/fd/${it}`));
        const open = links.flatMap((it) => /^socket:\[(\d+)\]$/u.exec(it)?.[1] ?? []);
        return ['tcp', 'tcp6', 'udp', 'udp6', 'raw', 'raw6'].flatMap((kind) => {
            const table = fs.readFileSync(`/proc/${pid}/net/${kind}`, 'utf8').split('\n').slice(1);
            const inodes = table.map((it) => it.trim().split(/\s+/u)[9]);
            return inodes.filter((it) => open.includes(it)).map((it) => `${kind} ${it}`);
        });
    } catch {
        return [];
    }
}
