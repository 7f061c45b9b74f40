import type { AreaContext } from '../db/context.ts'
import type { SecretBox } from '../lib/crypto.ts'
import { importTranscript, type TranscriptTargets } from './import-transcript.ts'
import { finishPoll, type ClaimedConnection, type PollResult } from './poll-runner.ts'
import { describeProblem, ReadProblem } from './problems.ts'
import type { ProviderSession, TranscriptProviders } from './provider.ts'
import { readOrganizers } from './read-organizers.ts'
import { openCredential } from './sealed-credential.ts'
import { ensureReports } from './subscriptions.ts'
import {
  findNextAttempt,
  LeaseLost,
  listDueTranscripts,
  postponeTranscript,
} from './transcript-store.ts'

type Parts = AreaContext &
  TranscriptTargets & {
    secretBox: SecretBox
    providers: TranscriptProviders
    publicUrl: string | null
  }

/** The first poll may find thousands. Other connections and a stop of the service do not wait for all of them. */
const MAX_TRANSCRIPTS = 25
/** After so many failures in a row the server has a problem, and not one transcript. */
const MAX_FAILURES_IN_A_ROW = 2

/** Returns a function that reads a claimed connection and stores how that went. */
export function createTranscriptPoll(parts: Parts) {
  const { db, clock, log } = parts
  return async (claimed: ClaimedConnection, signal: AbortSignal): Promise<void> => {
    const { connectionId } = claimed
    const finish = (result: PollResult) => finishPoll(db, claimed, result, clock.now())
    try {
      const session = openSession(parts, claimed, signal)
      const hasMorePages = await readOrganizers({ db, clock }, claimed, session)
      const hasMore = await readTranscripts(parts, claimed, session, signal)
      await ensureReports(parts, claimed, session)
      const isUnfinished = hasMorePages || hasMore
      const nextAt = isUnfinished ? clock.now() : await findNextAttempt(db, connectionId)
      await finish({ problem: null, nextAt })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof LeaseLost) return
      if (error instanceof ReadProblem) {
        const problem = describeProblem(error.code, error.detail, claimed.kind).text
        log.warn({ connectionId, problem }, 'could not read a connection')
      } else log.error({ err: error, connectionId }, 'failed to read a connection')
      const problem = error instanceof ReadProblem ? error : new ReadProblem('internal')
      await finish({ problem, nextAt: null })
    }
  }
}

function openSession(
  { secretBox, providers }: Parts,
  claimed: ClaimedConnection,
  signal: AbortSignal,
) {
  const { connectionId, kind, sealed } = claimed
  const credential = openCredential(secretBox, connectionId, sealed)
  return providers[kind].open({ ...claimed, credential }, signal)
}

/** Returns true if more transcripts are due. */
async function readTranscripts(
  parts: Parts,
  claimed: ClaimedConnection,
  session: ProviderSession,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, clock } = parts
  const due = await listDueTranscripts(db, claimed.connectionId, clock.now(), MAX_TRANSCRIPTS)
  let failures = 0
  for (const transcript of due) {
    signal.throwIfAborted()
    try {
      await importTranscript(parts, claimed, session, transcript)
      failures = 0
    } catch (error) {
      // One transcript that the provider cannot hand out must not stop the others.
      const isSkippable = error instanceof ReadProblem && error.code === 'unavailable'
      failures += 1
      if (!isSkippable || failures > MAX_FAILURES_IN_A_ROW) throw error
      await postponeTranscript(db, claimed, transcript, error, clock.now())
    }
  }
  return due.length === MAX_TRANSCRIPTS
}
