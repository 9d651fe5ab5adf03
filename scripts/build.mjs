// `npm run build`: the server and the screens, as `npm start` would make them.
import { findActiveRelease, home, leaveRelease, root } from './releases.mjs'
import { checkNode, prepareCheckout } from './run.mjs'

checkNode()
prepareCheckout()
const release = findActiveRelease()
if (!release) leaveRelease()
else if (root === home)
  console.log(
    `The pool runs ${release}, installed by "npm run upgrade". It runs this build after you check out another commit.`,
  )
