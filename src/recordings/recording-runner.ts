import type { AreaContext } from '../db/context.ts'
import { startLeasedWork, type ClaimLoop } from '../db/nodes/claim-loop.ts'
import { createRowLeases } from '../db/nodes/leased-rows.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import { postponeRecording, processRecording, type ProcessParts } from './process-recording.ts'
import { claimDueRecordings, type ClaimedRecording } from './recording-store.ts'

type Parts = AreaContext &
  ProcessParts & {
    membership: Pick<NodeMembership, 'nodeId' | 'onNodeLost' | 'hasFreshHeartbeat'>
    onEnded(id: string): void
  }

const POLL_MS = 5_000
/** The recognition of live meetings needs the rest of the machine. */
const MAX_CONCURRENT = 1
/** Any language but English shows if this node has an endpoint. */
const OTHER_LANGUAGE = 'de'

/** Recognizes waiting recordings, each on one node. */
export function startRecordingRunner(parts: Parts): ClaimLoop {
  const { db, clock, log, membership, recognition } = parts
  const { nodeId } = membership
  return startLeasedWork<ClaimedRecording>({
    what: 'recordings',
    log,
    membership,
    pollMs: POLL_MS,
    idOf: ({ id }) => id,
    ...createRowLeases(db, 'recording', nodeId),
    async claim(running, start) {
      const limit = MAX_CONCURRENT - running.length
      if (limit <= 0 || (await recognition.findObstacle(null)) !== null) return
      const isEnglishOnly = (await recognition.findObstacle(OTHER_LANGUAGE)) !== null
      const now = clock.now()
      ;(await claimDueRecordings(db, nodeId, { now, limit, isEnglishOnly })).forEach(start)
    },
    run: (claimed, signal) =>
      processRecording(parts, claimed, signal).finally(() => parts.onEnded(claimed.id)),
    postpone: (claimed) => postponeRecording(parts, claimed),
  })
}
