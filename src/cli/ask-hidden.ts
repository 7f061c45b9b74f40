import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { OperatorError } from '../errors.ts'

/** Asks on the terminal and does not show what is typed. Ctrl-C and Ctrl-D cancel. */
export async function askHidden(
  message: string,
  input: NodeJS.ReadableStream = process.stdin,
): Promise<string> {
  process.stderr.write(`${message}: `)
  // Without this output the terminal would show each key.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input, output, terminal: true })
  try {
    const [typed] = (await Promise.race([
      once(terminal, 'line'),
      once(terminal, 'close').then(() => [null]),
      once(terminal, 'SIGINT').then(() => [null]),
    ])) as [string | null]
    if (typed === null) throw new OperatorError('Cancelled')
    return typed
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
