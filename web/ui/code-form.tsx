import { Button } from '@mantine/core'
import { TextField } from './fields.tsx'
import { Form, readText } from './form.tsx'
import { useAction } from './use-action.ts'

interface CodeFormProps {
  label: string
  description: string
  onCode: (pasted: string) => void
}

export function CodeForm({ label, description, onCode }: CodeFormProps) {
  const action = useAction(async (values: FormData) => onCode(readText(values, 'code')))
  return (
    <Form action={action}>
      <TextField name="code" label={label} description={description} autoComplete="off" />
      <Button type="submit">Continue</Button>
    </Form>
  )
}
