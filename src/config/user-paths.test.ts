import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { findUserPaths } from './user-paths.ts'

test('the installed package keeps data and settings in the folders of the XDG specification', () => {
  const home = '/home/ada'
  assert.deepEqual(findUserPaths({ env: {}, home }), {
    data: '/home/ada/.local/share/hansard',
    settingsFile: '/home/ada/.config/hansard/.env',
  })
  const env = { XDG_DATA_HOME: '/srv/data', XDG_CONFIG_HOME: '/srv/etc' }
  assert.deepEqual(findUserPaths({ env, home }), {
    data: '/srv/data/hansard',
    settingsFile: '/srv/etc/hansard/.env',
  })
})

test('an empty or relative XDG variable counts as not set', () => {
  for (const given of ['', 'data', './data'])
    assert.equal(
      findUserPaths({ env: { XDG_DATA_HOME: given }, home: '/home/ada' }).data,
      '/home/ada/.local/share/hansard',
    )
})
