import { isRecordedTrace, NO_TRACER, type Span, type Tracer } from '../../lib/tracer.ts'
import type { Meeting } from '../meeting.ts'
import type { MeetingChange, TracedChange } from './batch-writer.ts'
import type { MeetingWriter } from './meeting-writer.ts'

/**
 * Records a commit as one step, however many meetings it stores: in the trace of the first one that is recorded, with
 * links to the steps of the others.
 */
export function traceCommit<Result>(
  tracer: Tracer,
  changes: readonly TracedChange[],
  write: () => Promise<Result>,
): Promise<Result> {
  if (tracer === NO_TRACER) return write()
  const causes = new Set(changes.flatMap(({ traceParent }) => traceParent ?? []))
  const [parent = null, ...links] = [...causes].toSorted(
    (a, b) => Number(isRecordedTrace(b)) - Number(isRecordedTrace(a)),
  )
  const attributes = {
    'hansard.changes': changes.length,
    'hansard.segments': countRows(changes, ({ segments }) => segments),
    'hansard.events': countRows(changes, ({ events }) => events),
  }
  return tracer.run('commit', { parent, links, attributes }, write)
}

function countRows(
  changes: readonly TracedChange[],
  pick: (change: MeetingChange) => readonly unknown[] | undefined,
): number {
  return changes.reduce((sum, { change }) => sum + (pick(change)?.length ?? 0), 0)
}

/**
 * Records the steps of a bot: joining, each batch of captions and each status. A meeting can last for hours, so it has
 * no span itself. Disposing ends the joining of a bot that was not admitted.
 */
export function traceMeetingWriter(
  writer: MeetingWriter,
  { id, platform, liveAt }: Pick<Meeting, 'id' | 'platform' | 'liveAt'>,
  tracer: Tracer,
): MeetingWriter & Disposable {
  const attributes = { 'hansard.meeting.id': id, 'hansard.platform': platform }
  const joining: Span | null = liveAt === null ? tracer.start('join meeting', { attributes }) : null
  const end = { [Symbol.dispose]: () => joining?.end() }
  if (tracer === NO_TRACER) return { ...writer, ...end }
  return {
    ...writer,
    ...end,
    changeStatus(change) {
      const { to, reason } = change
      const status = { ...attributes, 'hansard.meeting.status': to, 'hansard.end_reason': reason }
      if (to === 'error') joining?.fail(reason ?? 'internal')
      if (to !== 'lobby') joining?.end()
      return tracer.run('change status', { attributes: status }, () => writer.changeStatus(change))
    },
    writeSegments(segments, ...rest) {
      const batch = { ...attributes, 'hansard.segments': segments.length }
      return tracer.run('store captions', { attributes: batch }, () =>
        writer.writeSegments(segments, ...rest),
      )
    },
  }
}
