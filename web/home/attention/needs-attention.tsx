import { CloseButton } from '@mantine/core'
import { useRef } from 'react'
import { useChangeMark, useMarks } from '../../account/use-marks.ts'
import { ErrorBox } from '../../ui/feedback/feedback.tsx'
import { useAction } from '../../ui/forms/form.tsx'
import { HomeSection } from '../home-section.tsx'
import { useAttentionItems } from './attention-items.tsx'

/** Problems that the user can do something about. A dismissed one comes back when something new happens. */
export function NeedsAttention() {
  const marks = useMarks()
  const items = useAttentionItems().filter(({ key }) => !marks.has('attention', key))
  const change = useChangeMark()
  const list = useRef<HTMLUListElement>(null)
  const dismiss = useAction(async (key: string) => {
    // The button disappears with its item, and the whole section with the last item.
    const next = list.current?.querySelector<HTMLButtonElement>(`button:not([data-item="${key}"])`)
    const target = next ?? document.getElementById('main')
    target?.focus()
    await change('attention', key, true)
  })
  if (!marks.isLoaded || items.length === 0) return null
  return (
    <HomeSection id="needs-attention" title="Needs attention">
      <ul className="plain-list home-rows" ref={list}>
        {items.map(({ key, name, text }) => (
          <li key={key} className="home-attention">
            <div className="break-anywhere">{text}</div>
            <CloseButton
              data-item={key}
              aria-label={`Dismiss: ${name}`}
              onClick={() => void dismiss.run(key)}
            />
          </li>
        ))}
      </ul>
      {dismiss.error ? <ErrorBox error={dismiss.error} /> : null}
    </HomeSection>
  )
}
