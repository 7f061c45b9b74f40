import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { NewEventNotifier } from '../../reading/feed.ts'
import type { MeetingWriter } from '../../record/meeting-writer.ts'
import { createPartialCaptionPublisher } from './partial-publisher.ts'

test('a disposed publisher publishes nothing and sets no timer', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const published: string[] = []
  const shown: string[] = []
  const feed: Pick<NewEventNotifier, 'hasSubscribers' | 'publishPartial'> = {
    hasSubscribers: () => true,
    publishPartial: (_, body) => void published.push(body),
  }
  const writer: Pick<MeetingWriter, 'lastSequence'> = { lastSequence: () => 1 }
  const publisher = createPartialCaptionPublisher({
    meetingId: 'meeting_1',
    writer: writer as MeetingWriter,
    feed: feed as NewEventNotifier,
    lane: { show: ({ captionId }) => void shown.push(captionId), clear: () => {} },
    now: () => new Date(0),
  })
  const partial = { captionId: 'c1', speaker: 'Ada', text: 'Good', startedAt: 0 }
  publisher.publish([partial])
  publisher.publish([partial])
  publisher[Symbol.dispose]()
  publisher.publish([partial])
  context.mock.timers.tick(1_000)
  assert.deepEqual([published.length, shown.length], [1, 2])
})
