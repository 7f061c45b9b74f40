import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createReasoningSkipper } from './stream-answer.ts'

test('reasoning at the beginning of a text is left out, however the text is cut into pieces', () => {
  const cases: Array<[text: string, answer: string]> = [
    ['<think>Is it so? a < b</thin </think>\n\nIt is so.\n', 'It is so.\n'],
    ['\n <THINKING>\nHm.</thinking>{"a": 1}', '{"a": 1}'],
    ['<think></think>Yes', 'Yes'],
    ['<think>It never ends', ''],
    ['Plain text about <think>tags</think>.', 'Plain text about <think>tags</think>.'],
    ['  <thin', '  <thin'],
    ['<', '<'],
    ['', ''],
  ]
  for (const [text, answer] of cases) {
    for (const size of [1, 3, 100]) {
      const skipper = createReasoningSkipper()
      let read = ''
      for (let i = 0; i < text.length; i += size) read += skipper.add(text.slice(i, i + size))
      assert.equal(read + skipper.end(), answer, text)
    }
  }
})
