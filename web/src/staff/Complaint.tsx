import css from './Forms.module.css'

/** What was in the way, in a sentence; nothing where nothing was. */
export const Complaint = ({ of: sentence }: { of: string }) =>
  sentence ? (
    <p className={css.complaint} role="alert">
      {sentence}
    </p>
  ) : null
