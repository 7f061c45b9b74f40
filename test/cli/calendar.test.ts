import { strict as assert } from 'node:assert'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startCalendarWorld } from '../support/calendars/calendar-world.ts'
import { SECRET } from '../support/calendars/feed-server.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'

test('hansard calendar previews, adds, lists, pauses and removes a calendar, and hansard upcoming lists its meetings', async () => {
  await using world = await startCalendarWorld()
  const { addUser, serve, feeds, inMinutes, port, poll } = world
  const { key } = await addUser()
  serve('/work', [
    { uid: 'a', start: inMinutes(60), title: 'Review' },
    { uid: 'b', start: inMinutes(120), title: 'Lunch' },
  ])
  await using folder = createTestDataFolder()
  const address = { HANSARD_URL: `http://127.0.0.1:${port}` }
  const env = { ...folder.env, ...address, HANSARD_API_KEY: key['x-api-key'] ?? '' }
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runLoadedCommand(args, env)
    assert.deepEqual([code, stderr], [0, ''], args.join(' '))
    assert.ok(!stdout.includes(SECRET))
    return stdout
  }
  const urlFile = join(folder.data, 'calendar-address.txt')
  mkdirSync(folder.data, { recursive: true })
  writeFileSync(urlFile, `${feeds.urlOf('/work')}\n`)
  const from = ['--url-file', urlFile]
  const never = ['--never-title', 'lunch']
  const preview = await run('calendar', 'preview', ...from, ...never)
  assert.match(preview, /join +Review +A bot will join/)
  assert.match(preview, /skip +Lunch +The title contains a word that your rules exclude/)
  const added = await run(
    'calendar',
    'add',
    '--name',
    'Work',
    '--project',
    'sales',
    ...from,
    ...never,
  )
  const id = added.split(' ').at(-1)?.trim() ?? ''
  assert.match(await run('calendar', 'preview', id), /skip +Lunch/)
  await poll(key, id)
  assert.match(
    await run('calendar', 'list'),
    new RegExp(`${id} +Work +127\\.0\\.0\\.1:\\d+ +sales +ok`),
  )
  assert.match(await run('upcoming'), /skip +Lunch/)
  await run('calendar', 'pause', id)
  assert.match(await run('upcoming'), /skip +Review +The calendar is paused/)
  await run('calendar', 'resume', id)
  const { upcoming } = JSON.parse(await run('upcoming', '--json')) as {
    upcoming: Array<{ willJoin: boolean }>
  }
  assert.deepEqual(
    upcoming.map(({ willJoin }) => willJoin),
    [true, false],
  )
  await run('calendar', 'remove', id)
  assert.doesNotMatch(await run('calendar', 'list'), /cal_/)
})
