import { strict as assert } from 'node:assert'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startCalendarWorld } from '../support/calendars/calendar-world.ts'
import { SECRET } from '../support/calendars/feed-server.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'

test('with a service token, hansard calendar asks for --address when a rule needs to know the person', async () => {
  await using world = await startCalendarWorld()
  const { key } = await world.addToken({})
  world.serve('/work', [{ uid: 'a', start: world.inMinutes(60), organizer: 'ada@example.com' }])
  await using folder = createTestDataFolder()
  const urlFile = join(folder.data, 'calendar-address.txt')
  mkdirSync(folder.data, { recursive: true })
  writeFileSync(urlFile, world.feeds.urlOf('/work'))
  const env = {
    ...folder.env,
    HANSARD_URL: `http://127.0.0.1:${world.port}`,
    HANSARD_API_KEY: key['x-api-key'] ?? '',
  }
  for (const command of [['preview'], ['add', '--name', 'Work']]) {
    const args = ['calendar', ...command, '--only-accepted', '--url-file', urlFile]
    const refused = await runLoadedCommand(args, env)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, / --address: Is needed to know which meetings you accepted/)
    const { code, stderr } = await runLoadedCommand([...args, '--address', 'ada@example.com'], env)
    assert.deepEqual([code, stderr], [0, ''])
  }
})

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
  assert.match(await run('upcoming'), /^No meetings in the next two weeks\. .*calendar add/)
  assert.match(await run('calendar', 'list'), /^No calendars\. .*calendar add/)
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
