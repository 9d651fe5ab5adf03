import css from './Avatar.module.css'
import { initials } from './initials.ts'

type Props = { name: string; picture: string | null | undefined; size_px: number }

/** A member's round picture, or their initials. The name is shown next to it, or labels the element around it. */
export function Avatar({ name, picture, size_px }: Props) {
  const size = { width: size_px, height: size_px }
  return (
    <span className={css.portrait} style={{ ...size, fontSize: size_px * 0.33 }} aria-hidden>
      {picture ? (
        <img src={picture} alt="" {...size} />
      ) : (
        <span className={css.initials} data-initials={initials(name)} />
      )}
    </span>
  )
}
