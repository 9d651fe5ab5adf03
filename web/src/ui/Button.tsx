import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import css from './Button.module.css'

type Props = ComponentProps<'button'> & { variant?: 'primary' | 'plain' | 'danger'; busy?: boolean }

/** A button with text. While busy it keeps its size, shows a spinner and cannot be clicked again. */
export function Button({ variant = 'plain', busy = false, disabled, className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      className={className ? `${css.button} ${className}` : css.button}
      data-look={variant}
      aria-busy={busy || undefined}
      disabled={disabled || busy}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

/** Returns the focus to its button: the browser removes it while the button is disabled. */
function Spinner() {
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const button = ref.current?.closest('button')
    if (button !== document.activeElement) return
    return () => {
      requestAnimationFrame(() => document.activeElement === document.body && button?.focus({ preventScroll: true }))
    }
  }, [])
  return <i ref={ref} className={css.spinner} />
}
