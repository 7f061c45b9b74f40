import { OperatorError } from '../../errors.ts'
import { escapeControlCharacters } from '../../lib/text/control-characters.ts'

/**
 * A value in a unit file, in quotes. systemd replaces specifiers such as `%h`, and not all of its settings understand
 * escaped control characters, so a value with one is refused.
 */
export function quoteUnitValue(value: string): string {
  if (/[\p{Cc}\u2028\u2029]/u.test(value) || !value.isWellFormed())
    throw new OperatorError(
      `A systemd unit cannot contain ${JSON.stringify(escapeControlCharacters(value))}`,
      'Rename the folder so that its path has no line break or other control character',
    )
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('%', '%%')}"`
}

/** The path of the program of a command, in which systemd accepts no quotes and no backslash. */
export function quoteUnitProgram(path: string): string {
  if (/["'\\]/.test(path))
    throw new OperatorError(
      `systemd starts no program whose path contains a quote or a backslash: ${JSON.stringify(path)}`,
      'Install Hansard in another folder',
    )
  return quoteUnitValue(path)
}

/** An argument of a command. systemd also replaces variables in it, but not in the path of the program. */
export function quoteUnitArgument(value: string): string {
  return quoteUnitValue(value).replaceAll('$', '$$$$')
}
