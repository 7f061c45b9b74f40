import { NO_TRACER, type Span, type Tracer } from '../../lib/tracer.ts'
import type { Meeting } from '../meeting.ts'
import type { MeetingBatchWriter } from './batch-writer.ts'
import type { MeetingWriter } from './meeting-writer.ts'

/** Records how long each change waits for its commit. */
export function traceBatchWriter(writer: MeetingBatchWriter, tracer: Tracer): MeetingBatchWriter {
  if (tracer === NO_TRACER) return writer
  return {
    write(change) {
      const { segments = [], events = [] } = change
      const attributes = { 'hansard.segments': segments.length, 'hansard.events': events.length }
      return tracer.run('commit', { attributes }, () => writer.write(change))
    },
  }
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
