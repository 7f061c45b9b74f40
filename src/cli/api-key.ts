import { OperatorError } from '../errors.ts'
import { askHidden } from './ask-hidden.ts'

/** Asks for the API key of a command that uses a running service, or says which setting holds it. */
export async function askForApiKey(): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new OperatorError(
      'An API key is needed',
      'Set HANSARD_API_KEY to the API key (sk_…) of a token',
    )
  }
  return (await askHidden('API key (sk_…)')).trim()
}
