import type { Log } from '../../../log.ts'
import { redactFirstMessageLine } from '../page-session/errors/redact.ts'

/** More distinct reports than our scripts produce; a hostile page must not fill the log. */
const MAX_SCRIPT_REPORTS = 20

/**
 * Logs what a script in the page of a bot reports. Each text is logged once, because scripts repeat the same problem with
 * every poll. `context` names the session in the log.
 */
export function createScriptProblemReporter(
  log: Log,
  context: () => Record<string, unknown>,
): (text: string) => void {
  const reported = new Set<string>()
  return (text) => {
    const report = redactFirstMessageLine(text)
    if (reported.has(report) || reported.size >= MAX_SCRIPT_REPORTS) return
    reported.add(report)
    log.warn({ ...context(), report }, 'script in the meeting page reported a problem')
  }
}
