import css from './Forms.module.css'

/** An error message; nothing when it is empty. */
export const Complaint = ({ of: sentence }: { of: string }) =>
  sentence ? (
    <p className={css.complaint} role="alert">
      {sentence}
    </p>
  ) : null
