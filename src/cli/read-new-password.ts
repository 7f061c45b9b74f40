import { OperatorError } from '../errors.ts'
import { PASSWORD_LENGTH_RULE } from '../accounts/sign-in/password-length.ts'
import { readFileOrStdin } from '../storage/data-folder.ts'
import { askHidden } from './ask-hidden.ts'

/** Asks for a password on the terminal without showing it. */
export type AskPassword = (message: string) => Promise<string>

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
