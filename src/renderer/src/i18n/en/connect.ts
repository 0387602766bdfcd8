/** The first run and connecting an account. */
export const connect = {
  title: 'Connect my account',
  connect: 'Connect',
  back: 'Back',
  lead: 'Drop folders of photos. Each becomes a written listing. You look it over, and nothing is published or paid before your yes.',
  lookAround: 'Look around first',
  lookAroundText: 'A practice service runs on this computer. No account, no money, nothing leaves it.',
  practice: 'Try it with practice data',
  forReal: 'Sell for real',
  forRealText: 'With the e-mail address of your account at the service; a free one is made if you have none.',
  email: 'E-mail',
  emailHelp: 'The address of your account. If there is none yet, a free account is created for it.',
  emailNext:
    'A 6-digit code is e-mailed to it. You can read the terms and the privacy policy before you enter the code.',
  sendCode: 'E-mail me a code',
  code: '6-digit code',
  codeHelp: 'It works for 10 minutes, once.',
  newCode: 'E-mail a new code',
  otherAddress: 'Use another address',
  terms:
    'A code was e-mailed to <email/>. Connecting means agreeing to the <terms>terms</terms> and the <privacy>privacy policy</privacy> of the service. If there is no account for this address yet, a free one is created.',
} as const;
