/** A problem that the operator can fix. */
export class LaunchError extends Error {
  constructor(text, fix) {
    super(text)
    this.fix = fix
  }
}

/** The launcher was asked to stop. After it has cleaned up, it ends itself with this signal. */
export class StoppedBySignal extends Error {
  constructor(signal) {
    super(`stopped by ${signal}`)
    this.signal = signal
  }
}

/** Prints the problem and its fix like the commands do: one JSON object for programs, otherwise text. */
export function printLaunchError(error, asJson) {
  const { message, fix } = error
  if (asJson) process.stderr.write(`${JSON.stringify({ error: message, ...(fix && { fix }) })}\n`)
  else process.stderr.write(`hansard: ${message}\n${fix ? `  ${fix}\n` : ''}`)
}
