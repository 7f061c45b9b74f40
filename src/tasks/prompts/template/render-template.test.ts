import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { renderTemplate } from './render-template.ts'
import { TemplateFailure } from './template-failure.ts'

const NOW = new Date('2026-11-15T12:00:00.000Z')

/** Template variables with a simulated clock for processor time. */
function createSimulation() {
  let usedMs = 0
  const variables = {
    /** Waits without using processor time. */
    get slow() {
      return new Promise((resolve) => setImmediate(resolve, 'text'))
    },
    get heavy() {
      usedMs += 1_500
      return 'heavy'
    },
  }
  return { render: (body: string) => renderTemplate(body, variables, NOW, 1, () => usedMs) }
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

test('a rendered prompt that is too long for any model fails', async () => {
  const variables = { long: 'x'.repeat(1_000_000) }
  await assert.rejects(
    renderTemplate('{% for i in (1..21) %}{{ long }}{% endfor %}', variables, NOW),
    new TemplateFailure('Template: the prompt has more than 20000000 characters'),
  )
})
