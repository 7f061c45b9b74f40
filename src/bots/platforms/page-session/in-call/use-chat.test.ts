import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createChatOutbox } from '../../chat.ts'
import { GOOGLE_MEET_CHAT_CONTROLS } from '../../google-meet/google-meet.ts'
import { MICROSOFT_TEAMS_CHAT_CONTROLS } from '../../microsoft-teams/microsoft-teams.ts'
import type { PlatformEvent } from '../../platform.ts'
import type { PageSession } from '../page-session.ts'
import { createUseChatTask } from './use-chat.ts'

test('a chat that cannot be opened is reported after three attempts, and the message is dropped', async () => {
  for (const chat of [GOOGLE_MEET_CHAT_CONTROLS, MICROSOFT_TEAMS_CHAT_CONTROLS]) {
    const outbox = createChatOutbox()
    outbox.add('I take notes.')
    const events: PlatformEvent[] = []
    let [now, clicks] = [0, 0]
    const session = {
      joinRequest: { chat: { outbox, isRead: false } },
      platform: { title: 'The platform', chat },
      // The button opens a chat without a field.
      pageActions: {
        isShown: () => Promise.resolve(false),
        click: () => Promise.resolve((clicks += 1) > 0),
        waitUntilShown: () => Promise.resolve(false),
      },
      chatMerger: { addOwnText: () => undefined },
      timeouts: { chatRetryMs: 3_000 },
      now: () => now,
      emit: (event: PlatformEvent) => void events.push(event),
      movePointer: () => Promise.resolve(true),
      tryOnPage: (_: string, act: () => Promise<boolean>) => act(),
    }
    const runTask = createUseChatTask(session as unknown as PageSession)
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      assert.deepEqual(events, [])
      assert.equal(outbox.first(), 'I take notes.')
      await runTask()
      await runTask()
      assert.equal(clicks, attempt)
      now += 3_000
    }
    const detail = 'The chat of The platform could not be opened, or it is disabled'
    assert.deepEqual(events, [{ kind: 'chat unavailable', detail }])
    assert.equal(outbox.first(), undefined)
    assert.equal(await runTask(), null)
  }
})
