import { Button, Group } from '@mantine/core'

interface FormButtonsProps {
  /** What sending the form does, as its button says it. */
  children: string
  isRunning: boolean
  isDisabled?: boolean
  onCancel: () => void
}

/** The end of a form in a dialog: leave it, or send it. */
export function FormButtons({
  children,
  isRunning,
  isDisabled = false,
  onCancel,
}: FormButtonsProps) {
  return (
    <Group justify="flex-end" mt="sm">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={isRunning} disabled={isDisabled}>
        {children}
      </Button>
    </Group>
  )
}
