/** What holds on every backend, on WebGPU. */

import { describeAnswers } from '../helpers/answers.ts';

describeAnswers('webgpu');
