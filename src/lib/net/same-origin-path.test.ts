import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseSameOriginPath } from './same-origin-path.ts'

test('only paths of the same origin are accepted', () => {
  for (const origin of ['http://service.invalid', 'https://hansard.example.com:8443']) {
    const same = ['/', '/meetings?q=a%20b#x', '/projects/docs/a.md', '/@evil.example', '/a//b']
    for (const path of same) assert.equal(parseSameOriginPath(path, origin), path)
    const others = [
      undefined,
      null,
      7,
      '',
      'https://evil.example',
      `${origin}/meetings`,
      '//evil.example',
      '/\\evil.example',
      '\\/evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      '/.//evil.example',
      '/x/..//evil.example',
      'javascript:alert(1)',
      ' //evil.example',
    ]
    for (const path of others) assert.equal(parseSameOriginPath(path, origin), null, String(path))
  }
})
