import type { Connection, ConnectionKind } from './connection.ts'
import { describeProblem, PROVIDER_NAMES, ReadProblem } from './problems.ts'
import type { CheckAttempt, CheckLine, ProviderSession } from './provider.ts'

/** More requests would take too long for one answer. Each read checks all organizers. */
const MAX_CHECKED_ORGANIZERS = 5

/** Tries everything that reading needs, and stores nothing. Stops where the rest cannot work. */
export async function checkConnection(
  { kind, organizers }: Pick<Connection, 'kind' | 'organizers'>,
  requireReader: (address: string) => Promise<void>,
  session: ProviderSession,
  signal: AbortSignal,
): Promise<CheckLine[]> {
  const attempt: CheckAttempt = async (name, success, run) => {
    const problem = await findProblem(kind, run, signal)
    return { name, ok: problem === null, text: problem ?? success }
  }
  const { lines, isBlocked } = await session.checkAccess(
    attempt,
    organizers.map(({ address }) => address),
  )
  if (isBlocked) return lines
  const first = organizers
    .toSorted((a, b) => Number(b.problem !== null) - Number(a.problem !== null))
    .slice(0, MAX_CHECKED_ORGANIZERS)
  for (const { address } of first) {
    const line = await attempt(address, 'The transcripts of this person can be read', async () => {
      await requireReader(address)
      await session.checkPerson(await session.findPersonId(address))
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

/** The text of the problem that `run` throws; null if it succeeds. */
async function findProblem(
  kind: ConnectionKind,
  run: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    await run()
    return null
  } catch (error) {
    if (signal.aborted) return `${PROVIDER_NAMES[kind]} did not answer within a minute`
    if (!(error instanceof ReadProblem)) throw error
    return describeProblem(error.code, error.detail, kind).text
  }
}
