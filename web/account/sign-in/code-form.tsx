import { Button } from '@mantine/core'
import { TextField } from '../../ui/forms/fields.tsx'
import { Form, readFormText } from '../../ui/forms/form.tsx'
import { useAction } from '../../ui/forms/use-action.ts'

interface CodeFormProps {
  label: string
  description: string
  onCode: (pasted: string) => void
}

export function OneTimeCodeForm({ label, description, onCode }: CodeFormProps) {
  const action = useAction(async (values: FormData) => onCode(readFormText(values, 'code')))
  return (
    <Form action={action}>
      <TextField name="code" label={label} description={description} autoComplete="off" autoFocus />
      <Button type="submit">Continue</Button>
    </Form>
  )
}
