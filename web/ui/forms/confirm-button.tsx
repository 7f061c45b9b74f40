import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ErrorBox } from '../feedback/feedback.tsx'
import { useAction } from './form.tsx'

interface ConfirmButtonProps {
  label: string
  /** Names the button's subject, for a list where every row has this button. */
  ariaLabel: string
  /** The question after the first click. */
  question: string
  confirmLabel: string
  onConfirm: () => Promise<void>
}

/** A button that asks for confirmation in its place, for use inside dialogs. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, ariaLabel, question, confirmLabel, onConfirm } = props
  const [isAsking, setAsking] = useState(false)
  const action = useAction(async () => {
    await onConfirm()
    setAsking(false)
  })
  if (!isAsking)
    return (
      <Button
        variant="default"
        size="xs"
        flex="none"
        aria-label={ariaLabel}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
    )
  return (
    <Stack gap="xs" role="group" aria-label={ariaLabel}>
      <Text size="sm">{question}</Text>
      {action.error ? <ErrorBox error={action.error} /> : null}
      <Group gap="xs">
        <Button
          color="red.9"
          size="xs"
          loading={action.isRunning}
          onClick={() => void action.run()}
          autoFocus
        >
          {confirmLabel}
        </Button>
        <Button variant="default" size="xs" onClick={() => setAsking(false)}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
