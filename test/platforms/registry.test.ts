import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { ACCOUNT_PLATFORMS } from '../../src/bots/accounts/sites.ts'
import { PLATFORM_INFO } from '../../src/bots/platforms/platform-info.ts'
import { PLATFORM_NAMES } from '../../src/bots/platforms/platform.ts'
import {
  createPlatformPageModelLoader,
  createPlatforms,
  PLATFORM_DEFINITIONS,
} from '../../src/bots/platforms/registry.ts'
import { REHEARSAL_PLATFORM_CLI_NAMES } from '../../src/bots/rehearsal/rehearsal-platforms.ts'
import { createLog } from '../../src/log.ts'

test('every platform name has one row of data and one row of code', () => {
  assert.deepEqual(Object.keys(PLATFORM_INFO), [...PLATFORM_NAMES])
  assert.deepEqual(Object.keys(PLATFORM_DEFINITIONS), [...PLATFORM_NAMES])
  for (const name of PLATFORM_NAMES) {
    assert.equal(
      PLATFORM_DEFINITIONS[name].pageModel !== null,
      PLATFORM_INFO[name].meetsInPage,
      name,
    )
  }
})

test('the registry creates each platform with the name and title of its row, and the platform recognises its stage links', () => {
  const log = createLog('silent')
  const pageModels = createPlatformPageModelLoader(undefined, log)
  const pool = {
    acquire: () => Promise.reject(new Error('not used')),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  const platforms = createPlatforms({ pool, pageModels, log })
  assert.deepEqual(
    platforms.map(({ name, title }) => ({ name, title })),
    PLATFORM_NAMES.map((name) => ({ name, title: PLATFORM_INFO[name].title })),
  )
  for (const platform of platforms) {
    const links = Object.values(PLATFORM_INFO[platform.name].rehearsal?.links ?? {})
    for (const link of links) assert.notEqual(platform.parseLink(link), null, link)
  }
})

test('bot accounts and rehearsals list the platforms whose rows have them', () => {
  assert.deepEqual(ACCOUNT_PLATFORMS, ['google_meet', 'microsoft_teams'])
  assert.deepEqual(REHEARSAL_PLATFORM_CLI_NAMES, ['meet', 'teams'])
})
