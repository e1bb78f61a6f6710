// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title A price feed with the interface of Chainlink's aggregators that answers whatever it is told to: for tests only.
contract DevFeed {
    uint8 public immutable decimals;
    string public description;

    uint80 public roundId;
    int256 public answer;
    /// @notice Unix seconds; 0 while a round is in progress.
    uint256 public updatedAt;
    /// @notice 0 answers, 1 reverts, 2 burns all gas, 3 answers one word, 4 answers a megabyte.
    uint256 public mode;

    error NoDataPresent();

    constructor(uint8 decimals_, string memory description_) {
        decimals = decimals_;
        description = description_;
    }

    function put(int256 answer_, uint256 updatedAt_) external {
        roundId += 1;
        answer = answer_;
        updatedAt = updatedAt_;
    }

    function setMode(uint256 mode_) external {
        mode = mode_;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        if (mode == 1) revert NoDataPresent();
        if (mode == 2) assembly { invalid() }
        if (mode == 3) assembly { return(0, 32) }
        if (mode == 4) assembly { return(0, 1048576) }
        return (roundId, answer, updatedAt, updatedAt, roundId);
    }
}
