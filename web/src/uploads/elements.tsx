import { Text, type TextProps } from '@mantine/core'
import type { ComponentProps } from 'react'
import css from './Uploads.module.css'

type ProgressProps = { label: string; percent: number; valueText?: string }

export const ProgressBar = ({ label, percent, valueText }: ProgressProps) => (
  <span
    className={css.bar}
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={percent}
    aria-valuetext={valueText}
  >
    <i style={{ width: `${percent}%` }} />
  </span>
)

/** A button in the middle of a text. */
export const TextButton = (props: ComponentProps<'button'> & Pick<TextProps, 'c'>) => (
  <Text component="button" type="button" inherit td="underline" fw={580} mih={24} c="inherit" {...props} />
)
