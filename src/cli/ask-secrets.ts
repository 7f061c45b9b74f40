import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { PASSWORD_LENGTH_RULE } from '../accounts/sign-in/password-length.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { readFileOrStdin } from '../storage/data-folder.ts'

/** Asks for a password on the terminal without showing it. */
type AskPassword = (message: string) => Promise<string>

/** Asks on the terminal and hides the input. Ctrl-C and Ctrl-D cancel. */
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

/** Asks for the API key of a command that uses a running service. Without a terminal, the error names the setting. */
export async function askForApiKey(): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new OperatorError(
      'An API key is needed',
      'Set HANSARD_API_KEY to the API key (sk_…) of a token',
    )
  }
  return (await askHidden('API key (sk_…)')).trim()
}

/** Reads a password from a file or standard input, or asks for it twice. */
export async function readNewPassword(
  file: string | undefined,
  ask: AskPassword = askOnTerminal,
): Promise<string> {
  if (file !== undefined) return readFileOrStdin('--password-file', file)
  const typed = await ask(`New password (${PASSWORD_LENGTH_RULE})`)
  if (typed === (await ask('The same password again'))) return typed
  throw new OperatorError('The two passwords are different', 'Nothing was changed; try again')
}

async function askOnTerminal(message: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new OperatorError(
      'A password is needed',
      'Use --password-file FILE, or --password-file - for standard input',
    )
  }
  return askHidden(message)
}
