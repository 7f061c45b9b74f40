import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createRenderTimer } from './render-clock.ts'
import { renderTemplate, TemplateFailure } from './template.ts'

const NOW = new Date('2026-11-15T12:00:00.000Z')

/** Template variables with a simulated process clock that the test controls. */
function createSimulation() {
  let activeMs = 0
  const clock = createRenderTimer(() => activeMs)
  const work = (ms: number) => void (activeMs += ms)
  /** During the read the process works on other things. */
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

test('time in which a template waits for documents does not count towards its limit', async () => {
  const { render } = createSimulation()
  assert.equal(await render('{{ slow }} {{ slow }} {{ slow }} x'), 'text text text x')
  assert.equal(await render('{{ slow }} {{ heavy }} {{ slow }} x'), 'text heavy text x')
})

test('a template that renders too long fails with the render limit, inside and outside of blocks', async () => {
  for (const body of [
    '{{ heavy }} {{ heavy }} x',
    '{% if true %}{{ heavy }} {{ heavy }} x{% endif %} y',
  ]) {
    await assert.rejects(createSimulation().render(body), (error) => {
      assert.ok(error instanceof TemplateFailure)
      return error.message.startsWith('Template: template render limit exceeded')
    })
  }
})

test('rendering during a pending read counts towards the limit', async () => {
  const { clock, work, read } = createSimulation()
  const both = [clock.excludeWait(read(100)), clock.excludeWait(read(100))]
  work(3_000)
  assert.equal(clock.elapsedMs(), 3_000)
  await Promise.all(both)
  assert.equal(clock.elapsedMs(), 3_000)
})
