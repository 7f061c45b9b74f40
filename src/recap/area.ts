import type { AreaContext } from '../db/context.ts'
import type { Tx } from '../db/database.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import type { Tracer } from '../lib/tracer.ts'
import type { EventRow } from '../meetings/record/meeting-store.ts'
import type { DocumentFiles } from '../projects/files/store/document-files.ts'
import type { RecapModel } from './model/recap-model.ts'
import { createRecaps } from './recaps.ts'
import { startRecapRunner, runRecap } from './running/recap-runner.ts'
import { createRulesRecapMaker } from './running/rules-thread.ts'

type Parts = AreaContext & {
  tracer: Tracer
  membership: NodeMembership
  files: DocumentFiles
  timeZone: string
  /** The tag of the language that models write in. Null for the language of the meeting. */
  recapLanguage: string | null
  /** Where people open the console. */
  publicUrl: string
  /** True if every ended meeting gets a recap without a request. */
  isAutomatic: boolean
  /** Null if no language model is configured. Recaps are then made by rules only. */
  model: RecapModel | null
  documentChanged(documentPath: string): Promise<void>
  /** Runs in the transaction that stores a finished recap. */
  onRecapReady(tx: Tx, meetingId: string): Promise<void>
  publishEvents(meetingId: string, events: readonly EventRow[]): void
  /** Notifies open consoles on all nodes that a person changed the recap of a meeting. */
  onItemsChanged(meetingId: string): void
}

function startRunner(parts: Parts) {
  const steps = { ...parts, makeRulesRecap: createRulesRecapMaker() }
  return startRecapRunner({
    ...parts,
    run(claimed, signal) {
      const { meetingId, step, traceParent: parent } = claimed
      const attributes = { 'hansard.meeting.id': meetingId, 'hansard.recap.step': step }
      return parts.tracer.run('make recap', { kind: 'consumer', parent, attributes }, () =>
        runRecap(steps, claimed, signal),
      )
    },
  })
}

/** Opens the recap area. A node with the role `tasks` starts to make recaps. */
export function openRecapArea(parts: Parts) {
  const { membership } = parts
  const runner = membership.hasRole('tasks') ? startRunner(parts) : null
  const wake = () => {
    if (runner === null) membership.broadcast('follow_ups_due', {})
    else runner.wake()
  }
  return {
    recaps: createRecaps({ ...parts, wake }),
    /** Looks now for ended meetings. */
    wake: () => runner?.wake(),
    [Symbol.asyncDispose]: async () => runner?.[Symbol.asyncDispose](),
  }
}

export type RecapArea = ReturnType<typeof openRecapArea>
