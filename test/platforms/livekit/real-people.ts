import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { createAccessToken } from '../../../src/bots/platforms/livekit/access-token.ts'
import { TEST_KEY } from './real-livekit.ts'

/** The build for pages without modules. */
const SCRIPT = readFileSync(createRequire(import.meta.url).resolve('livekit-client'), 'utf8')

/** What the page of a person does with LiveKit's own library. */
const ACTIONS = `
globalThis.person = {
  messages: [],
  async join(url, token, speaks) {
    const { Room } = LivekitClient
    const room = (this.room = new Room())
    room.registerTextStreamHandler('lk.chat', async (reader) => this.messages.push(await reader.readAll()))
    await room.connect(url, token)
    if (speaks) await room.localParticipant.setMicrophoneEnabled(true)
  },
  say: (text) => person.room.localParticipant.sendText(text, { topic: 'lk.chat' }),
  sayOld: (text) => person.room.localParticipant.sendChatMessage(text),
  names: () => [...person.room.remoteParticipants.values()].map(({ name }) => name),
}`

/** A person in a room, in a page of its own. */
export type Person = {
  page: Page
  say(text: string): Promise<void>
  sayOld(text: string): Promise<void>
}

/** Joins a room with LiveKit's own library, as a person's page does. */
export async function joinInBrowser(
  browser: Browser,
  {
    host,
    room = 'talk',
    name,
    speaks = false,
    identity = name.toLowerCase(),
  }: { host: string; room?: string; name: string; speaks?: boolean; identity?: string },
): Promise<Person> {
  const context = await browser.newContext({ permissions: ['microphone'] })
  const page = await context.newPage()
  // Only a page that comes from this machine may use its microphone and its servers.
  await page.goto(`http://${host}/`)
  await page.addScriptTag({ content: SCRIPT })
  await page.evaluate(ACTIONS)
  const participant = { room, identity, name, grants: {} }
  const token = createAccessToken(TEST_KEY, participant, Date.now())
  await page.evaluate(
    `person.join(${JSON.stringify(`ws://${host}`)}, ${JSON.stringify(token)}, ${speaks})`,
  )
  return {
    page,
    say: (text) => page.evaluate(`person.say(${JSON.stringify(text)})`),
    sayOld: (text) => page.evaluate(`person.sayOld(${JSON.stringify(text)})`),
  }
}
