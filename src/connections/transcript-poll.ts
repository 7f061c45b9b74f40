import type { AreaContext } from '../db/context.ts'
import type { SecretBox } from '../lib/crypto.ts'
import type { TranscriptImports } from '../meetings/importing/transcript-imports.ts'
import { importTranscript } from './import-transcript.ts'
import { openCredential } from './microsoft/credential.ts'
import { openGraphSession, type GraphSession } from './microsoft/graph-session.ts'
import type { MicrosoftHostsByCloud } from './microsoft/hosts.ts'
import type { MicrosoftHttp } from './microsoft/http.ts'
import { finishPoll, type ClaimedConnection, type PollResult } from './poll-runner.ts'
import { ReadProblem } from './problems.ts'
import { readOrganizers } from './read-organizers.ts'
import {
  findNextAttempt,
  LeaseLost,
  listDueTranscripts,
  postponeTranscript,
} from './transcript-store.ts'

type Parts = AreaContext & {
  secretBox: SecretBox
  http: MicrosoftHttp
  hosts: MicrosoftHostsByCloud
  imports: Pick<TranscriptImports, 'add'>
}

/** The first poll may find thousands. Other connections and a stop of the service do not wait for all of them. */
const MAX_TRANSCRIPTS = 25
/** After so many failures in a row the server has a problem, and not one transcript. */
const MAX_FAILURES_IN_A_ROW = 2

/** Returns a function that reads a claimed connection and stores how that went. */
export function createTranscriptPoll(parts: Parts) {
  const { db, log, http } = parts
  return async (claimed: ClaimedConnection, signal: AbortSignal): Promise<void> => {
    const { connectionId } = claimed
    const finish = (result: PollResult) => finishPoll(db, claimed, result, http.clock.now())
    try {
      const graph = openGraphSession(http, openApp(parts, claimed), signal)
      const hasMorePages = await readOrganizers({ db, clock: http.clock }, claimed, graph)
      const hasMore = await readTranscripts(parts, claimed, graph, signal)
      const isUnfinished = hasMorePages || hasMore
      const nextAt = isUnfinished ? http.clock.now() : await findNextAttempt(db, connectionId)
      await finish({ problem: null, nextAt })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof LeaseLost) return
      if (error instanceof ReadProblem)
        log.warn({ connectionId, problem: error.message }, 'could not read a connection')
      else log.error({ err: error, connectionId }, 'failed to read a connection')
      const problem = error instanceof ReadProblem ? error : new ReadProblem('internal')
      await finish({ problem, nextAt: null })
    }
  }
}

function openApp({ secretBox, hosts }: Parts, claimed: ClaimedConnection) {
  const { connectionId, cloud, tenant, clientId, sealed } = claimed
  const credential = openCredential(secretBox, connectionId, sealed)
  return { tenant, clientId, credential, hosts: hosts[cloud] }
}

/** Returns true if more transcripts are due. */
async function readTranscripts(
  { db, http, imports }: Parts,
  claimed: ClaimedConnection,
  graph: GraphSession,
  signal: AbortSignal,
): Promise<boolean> {
  const { clock } = http
  const due = await listDueTranscripts(db, claimed.connectionId, clock.now(), MAX_TRANSCRIPTS)
  let failures = 0
  for (const transcript of due) {
    signal.throwIfAborted()
    try {
      await importTranscript({ db, clock, imports }, claimed, graph, transcript)
      failures = 0
    } catch (error) {
      // One transcript that Microsoft cannot hand out must not stop the others.
      const isSkippable = error instanceof ReadProblem && error.code === 'unavailable'
      failures += 1
      if (!isSkippable || failures > MAX_FAILURES_IN_A_ROW) throw error
      await postponeTranscript(db, claimed, transcript, error, clock.now())
    }
  }
  return due.length === MAX_TRANSCRIPTS
}
