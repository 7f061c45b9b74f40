import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { markdownRenderer, tokenizeMarkdown } from './tokenize-markdown.ts'

const render = (text: string) => markdownRenderer.parser(tokenizeMarkdown(text) ?? [])

test('markdown is tokenized and rendered to HTML', () => {
  assert.equal(
    render('a *b*\r\n\r\n- [c](https://d)'),
    '<p>a <em>b</em></p>\n<ul>\n<li><a href="https://d">c</a></li>\n</ul>\n',
  )
})

test('a task list has a named check box for each task', () => {
  assert.equal(
    render('- [x] one\n- [ ] two\n- three'),
    `<ul>
<li><input type="checkbox" disabled aria-label="Done" checked> one</li>
<li><input type="checkbox" disabled aria-label="Not done"> two</li>
<li>three</li>
</ul>
`,
  )
})

test('a very long paragraph is shown as plain text', () => {
  const text = '_a_'.repeat(50_000)
  assert.equal(render(`${text} <b>`), `<p>${text} &lt;b&gt;</p>\n`)
})

test('deeply nested quotes and lists are not tokenized', () => {
  for (const part of ['>', '> ', '- ', '1. '])
    assert.equal(tokenizeMarkdown(part.repeat(50_000)), null)
  const stairs = Array.from({ length: 300 }, (_, i) => `${' '.repeat(2 * i)}- step`)
  assert.equal(tokenizeMarkdown(stairs.join('\n')), null)
  assert.equal(tokenizeMarkdown(stairs.slice(0, 10).join('\n'))?.length, 1)
})
