import type { Connection } from './connection.ts'
import { describeClockDifference } from './microsoft/access-token.ts'
import { findUserId, firstTranscriptsLink, readTranscriptPage } from './microsoft/graph-requests.ts'
import { PERMISSIONS, type GraphSession, type Permission } from './microsoft/graph-session.ts'
import type { MicrosoftHttp } from './microsoft/http.ts'
import { describeProblem, ReadProblem } from './problems.ts'

/** One line of a check: what was tried, and how it went. */
export type CheckLine = { name: string; ok: boolean; text: string }

/** More requests would take too long for one answer. Each read checks all organizers. */
export const MAX_CHECKED_ORGANIZERS = 5

/** Tries everything that reading needs, and stores nothing. Stops where the rest cannot work. */
export async function checkConnection(
  { clock }: Pick<MicrosoftHttp, 'clock'>,
  { organizers, readsFrom }: Pick<Connection, 'organizers' | 'readsFrom'>,
  requireReader: (address: string) => Promise<void>,
  graph: GraphSession,
  signal: AbortSignal,
): Promise<CheckLine[]> {
  const attempt = (name: string, success: string, run: () => Promise<void>) =>
    runAttempt({ name, ok: true, text: success }, run, signal)
  const signIn = await attempt('Sign in', 'Microsoft accepts the application', async () => {
    await graph.token()
  })
  if (!signIn.ok) return [signIn]
  const { permissions, serverTime } = await graph.token()
  const difference = describeClockDifference(serverTime, clock.now())
  const clockLine =
    difference === null ? [] : [toLine('Clock', describeProblem('clock_wrong', difference).text)]
  const lines = [signIn, ...clockLine, ...checkPermissions(permissions)]
  if (lines.some(({ ok, name }) => !ok && name.startsWith('Permission'))) return lines
  const first = organizers
    .toSorted((a, b) => Number(b.problem !== null) - Number(a.problem !== null))
    .slice(0, MAX_CHECKED_ORGANIZERS)
  for (const { address } of first) {
    const line = await attempt(address, 'The transcripts of this person can be read', async () => {
      await requireReader(address)
      const userId = await findUserId(graph, address)
      await readTranscriptPage(graph, firstTranscriptsLink(userId, readsFrom))
    })
    lines.push(line)
  }
  const others = organizers.length - first.length
  if (others > 0)
    lines.push({
      name: 'Others',
      ok: true,
      text: `${others} more people are checked with each read`,
    })
  return lines
}

/** Without a list in the token, the requests for the organizers show what is missing. */
function checkPermissions(granted: readonly string[] | null): CheckLine[] {
  if (granted === null) return []
  const all = Object.entries(PERMISSIONS) as Array<[Permission, string]>
  return all.map(([permission, use]) => ({
    name: `Permission ${permission}`,
    ok: granted.includes(permission),
    text: granted.includes(permission)
      ? `Granted, for ${use}`
      : describeProblem('permission_missing', permission).text,
  }))
}

function toLine(name: string, problem: string): CheckLine {
  return { name, ok: false, text: problem }
}

async function runAttempt(
  success: CheckLine,
  run: () => Promise<void>,
  signal: AbortSignal,
): Promise<CheckLine> {
  try {
    await run()
    return success
  } catch (error) {
    if (signal.aborted) return toLine(success.name, 'Microsoft did not answer within a minute')
    if (!(error instanceof ReadProblem)) throw error
    return toLine(success.name, error.message)
  }
}
