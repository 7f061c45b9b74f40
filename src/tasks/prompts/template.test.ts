import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createRenderClock } from './render-clock.ts'
import { renderTemplate, TemplateFailure } from './template.ts'

const NOW = new Date('2026-11-15T12:00:00.000Z')

/** A process whose work the test decides, and a template's variables in it. */
function openWorld() {
  let activeMs = 0
  const clock = createRenderClock(() => activeMs)
  const work = (ms: number) => void (activeMs += ms)
  /** While it is read, the process works for others. */
  const read = async (ms: number) => {
    await Promise.resolve()
    work(ms)
    return 'text'
  }
  const scope = {
    get slow() {
      return clock.excludeWait(read(1_500))
    },
    get heavy() {
      work(1_500)
      return 'heavy'
    },
  }
  return { clock, work, read, render: (body: string) => renderTemplate(body, scope, NOW, clock) }
}

test('what the process does while a template waits for documents does not count for the template', async () => {
  const { render } = openWorld()
  assert.equal(await render('{{ slow }} {{ slow }} {{ slow }} x'), 'text text text x')
  assert.equal(await render('{{ slow }} {{ heavy }} {{ slow }} x'), 'text heavy text x')
})

test('a template that takes too long fails with its limit, in a block and outside', async () => {
  for (const body of [
    '{{ heavy }} {{ heavy }} x',
    '{% if true %}{{ heavy }} {{ heavy }} x{% endif %} y',
  ]) {
    await assert.rejects(openWorld().render(body), (error) => {
      assert.ok(error instanceof TemplateFailure)
      return error.message.startsWith('Template: template render limit exceeded')
    })
  }
})

test('who goes on while something is read does not wait for it', async () => {
  const { clock, work, read } = openWorld()
  const both = [clock.excludeWait(read(100)), clock.excludeWait(read(100))]
  work(3_000)
  assert.equal(clock.elapsedMs(), 3_000)
  await Promise.all(both)
  assert.equal(clock.elapsedMs(), 3_000)
})
