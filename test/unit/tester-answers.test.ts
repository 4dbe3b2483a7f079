/** What holds on every backend, on the CPU. */

import { describeAnswers } from '../helpers/answers.ts';

describeAnswers('cpu');
