import { Button, Group } from '@mantine/core'

interface FormButtonsProps {
  /** Label of the submit button. */
  children: string
  isRunning: boolean
  isDisabled?: boolean
  onCancel: () => void
}

/** The Cancel and submit buttons at the end of a form in a dialog. */
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
