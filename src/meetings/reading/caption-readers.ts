import { isDeepStrictEqual } from 'node:util'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'

/** Which nodes show the partial captions of which meetings, so that they are sent to no other node. */
export type CaptionReaders = ReturnType<typeof createCaptionReaders>

/** What a node reads: the ids of meetings, or null for all. */
type Reading = ReadonlySet<string> | null

/** A node repeats what it reads, because a message can be lost and other nodes start later. */
const REPEAT_MS = 5_000
/** A node that has stopped repeating reads nothing. */
const FORGET_MS = 3 * REPEAT_MS
/** A node that reads more meetings says that it reads all, because a longer list does not fit into a message. */
const MAX_LISTED = 150

type Parts = {
  membership: Pick<NodeMembership, 'nodeId' | 'broadcast' | 'onMessage'>
  /** What is read on this node now. */
  readHere(): Reading
  now?(): number
}

export function createCaptionReaders({
  membership,
  readHere,
  now = () => performance.now(),
}: Parts) {
  const { nodeId } = membership
  const elsewhere = new Map<string, { reading: Reading; until: number }>()
  let announced: string[] | null = []
  let repeating: NodeJS.Timeout | undefined

  const announce = () => {
    clearTimeout(repeating)
    membership.broadcast('captions_read', { nodeId, meetingIds: announced })
    // After its last reader a node has nothing to repeat.
    repeating = announced?.length === 0 ? undefined : setTimeout(announce, REPEAT_MS).unref()
  }

  membership.onMessage('captions_read', ({ nodeId: from, meetingIds }) => {
    elsewhere.delete(from)
    if (meetingIds?.length === 0) return
    const reading = meetingIds === null ? null : new Set(meetingIds)
    elsewhere.set(from, { reading, until: now() + FORGET_MS })
  })

  return {
    /** Tells the other nodes what is read on this node, if that has changed. */
    changed() {
      const reading = readHere()
      const isLong = reading !== null && reading.size > MAX_LISTED
      const meetingIds = reading === null || isLong ? null : [...reading]
      if (isDeepStrictEqual(meetingIds, announced)) return
      announced = meetingIds
      announce()
    },
    /** The other nodes on which somebody reads this meeting. */
    nodesReading(meetingId: string): string[] {
      const found: string[] = []
      for (const [node, { reading, until }] of elsewhere) {
        if (until < now()) elsewhere.delete(node)
        else if (reading === null || reading.has(meetingId)) found.push(node)
      }
      return found
    },
  }
}
