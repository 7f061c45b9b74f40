// A rehearsal stage in a separate process. In every room, participants with cameras speak endlessly.
import { openStage } from '../../stage/stage.ts'
import { roomAddress } from '../support/room-address.ts'

const CAST = [
  { id: 'ana', name: 'Ana Ribeiro', isHost: true },
  { id: 'ben', name: 'Ben Carter' },
]
const SENTENCE =
  'We looked at the figures of the last quarter again and they are better than anybody had thought.'

const [rooms = '0', videos = '0'] = process.argv.slice(2)
const stage = await openStage()

async function talk(room: number): Promise<never> {
  const show = stage.open(roomAddress(room), {
    cast: CAST,
    knobs: { door: 'call', videos: Number(videos) },
  })
  show.join('ana', 'ben')
  await show.waitFor('captions on')
  for (let turn = 0; ; turn += 1) await show.say(turn % 2 === 0 ? 'ana' : 'ben', SENTENCE)
}
for (let room = 0; room < Number(rooms); room += 1) void talk(room)

process.send?.({ port: stage.port, browserArguments: stage.browserArguments })
process.on('disconnect', () => process.exit())
